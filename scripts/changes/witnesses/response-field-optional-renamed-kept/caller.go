package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.ResponseFieldOptionalRenamedKept.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	var value *string = order.Note
	return value, nil
}
