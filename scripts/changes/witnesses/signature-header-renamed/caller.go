package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.SignatureHeaderRenamedPaidEvent); ok {
		return paid.Data.Total
	}
	return nil
}
