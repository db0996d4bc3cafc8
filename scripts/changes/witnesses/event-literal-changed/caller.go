package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventLiteralChangedPaidEvent); ok {
		var value string = paid.Data.ID
		return value
	}
	return nil
}
