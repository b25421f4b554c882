import Hummingbird

/// Counts a request among those in flight for as long as somebody holds it, however the request ends.
final class InFlightRequestToken: Sendable {
    private let metrics: GatewayMetrics
    /// False when there are too many.
    let isAdmitted: Bool

    init(_ metrics: GatewayMetrics) {
        self.metrics = metrics
        isAdmitted = metrics.requestBegan()
    }

    deinit { metrics.requestEnded() }
}

extension ResponseBody {
    /// The same body, which holds a pass until it is written or dropped.
    func keeping(_ pass: InFlightRequestToken) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in
            try await self.write(writer)
            withExtendedLifetime(pass) {}
        }
    }
}
