package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.OperationOldNameRemoved.Get(ctx, "ord_1", nil)
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
