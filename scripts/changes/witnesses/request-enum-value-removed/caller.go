package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestEnumValueRemoved.Create(ctx, shop.RequestEnumValueRemovedParams{State: shop.RequestEnumValueRemovedParamsStateLost})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
