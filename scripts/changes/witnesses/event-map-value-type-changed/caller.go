package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventMapValueTypeChangedPaidEvent); ok {
		var value int64 = paid.Data.Stock["cup"]
		return value
	}
	return nil
}
