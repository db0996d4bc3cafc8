def handle(event)
  event.data.at if event.is_a?(Shop::EventFieldFormatChangedPaidEvent)
end
