def handle(event)
  return unless event.is_a?(Shop::EventVariantRemovedPaidEvent)

  case event.data.pay
  when Shop::EventVariantRemovedGift then event.data.pay.code
  else "other"
  end
end
