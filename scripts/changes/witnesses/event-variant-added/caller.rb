def handle(event)
  return unless event.is_a?(Shop::EventVariantAddedPaidEvent)

  case event.data.pay
  when Shop::EventVariantAddedCard then event.data.pay.number
  else "other"
  end
end
