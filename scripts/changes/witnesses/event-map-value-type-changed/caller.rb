def handle(event)
  event.data.stock["cup"] if event.is_a?(Shop::EventMapValueTypeChangedPaidEvent)
end
