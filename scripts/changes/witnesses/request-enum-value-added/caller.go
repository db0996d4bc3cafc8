package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestEnumValueAdded.Create(ctx, shop.RequestEnumValueAddedParams{State: shop.RequestEnumValueAddedParamsStateOpen})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
