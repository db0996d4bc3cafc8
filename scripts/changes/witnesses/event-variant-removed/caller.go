package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventVariantRemovedPaidEvent); ok {
		if pay, ok := paid.Data.Pay.(shop.EventVariantRemovedGift); ok {
			return pay.Code
		}
		return "other"
	}
	return nil
}
