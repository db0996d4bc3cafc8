package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	if err := client.ResponseBodyAdded.Delete(ctx, "ord_1"); err != nil {
		return nil, err
	}
	return "deleted", nil
}
