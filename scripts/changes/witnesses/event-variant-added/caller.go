package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventVariantAddedPaidEvent); ok {
		if pay, ok := paid.Data.Pay.(shop.EventVariantAddedCard); ok {
			return pay.Number
		}
		return "other"
	}
	return nil
}
