package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventUnionTagValueChangedPaidEvent); ok {
		if pay, ok := paid.Data.Pay.(shop.EventUnionTagValueChangedCard); ok {
			return pay.Number
		}
		return "other"
	}
	return nil
}
