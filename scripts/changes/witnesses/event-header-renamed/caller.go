package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventHeaderRenamedPaidEvent); ok {
		return paid.Data.Total
	}
	return nil
}
