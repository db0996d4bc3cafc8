package caller

import (
	"context"
	"time"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.ResponseFieldFormatChanged.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	var value time.Time = order.At
	return value, nil
}
