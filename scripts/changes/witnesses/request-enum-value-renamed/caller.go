package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestEnumValueRenamed.Create(ctx, shop.RequestEnumValueRenamedParams{State: shop.RequestEnumValueRenamedParamsStateOpen})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
