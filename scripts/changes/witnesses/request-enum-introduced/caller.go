package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestEnumIntroduced.Create(ctx, shop.RequestEnumIntroducedParams{State: "open"})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
