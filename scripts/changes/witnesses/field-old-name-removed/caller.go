package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.FieldOldNameRemoved.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	var value int64 = order.Amount
	return value, nil
}
