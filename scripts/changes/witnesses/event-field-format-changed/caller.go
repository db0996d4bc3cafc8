package caller

import (
	"time"

	"example.com/shop"
)

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventFieldFormatChangedPaidEvent); ok {
		var value time.Time = paid.Data.At
		return value
	}
	return nil
}
