package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestMapValueTypeChanged.Create(ctx, shop.RequestMapValueTypeChangedParams{Stock: map[string]int64{"cup": 3}})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
