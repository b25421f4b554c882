import DocumentValues
import GatewayCore
import Hummingbird
import Synchronization

/// Counts a request among those in flight until it is released, however the request ends.
final class InFlightRequestToken: Sendable {
    private let metrics: GatewayMetrics
    private let pass = Mutex<EntryPass?>(nil)

    init(_ metrics: GatewayMetrics) {
        self.metrics = metrics
        metrics.requestBegan()
    }

    deinit { metrics.requestEnded() }

    /// 503 if there are too many of the address, or in all.
    func admit(_ entries: EntryShares, address: Name) throws(GatewayError) {
        let admitted = try EntryPass(entries, address: address)
        pass.withLock { $0 = admitted }
    }

    /// Counts the request on the account of the signed-in user; 503 if there are too many of it, or in all.
    func charge(to account: Name) throws(GatewayError) { try pass.withLock { $0 }?.charge(to: account) }
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
