package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventFieldRenamedKeptPaidEvent); ok {
		var value int64 = paid.Data.Total
		return value
	}
	return nil
}
