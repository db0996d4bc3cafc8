def handle(event)
  event.data.kind if event.is_a?(Shop::EventLiteralChangedPaidEvent)
end
