import Foundation
import FoundationNetworking
import Synchronization

/// Reads an issuer's key set, as far as one may be long. Redirects are followed within the host only: what an issuer
/// redirects to must not make the gateway ask in a network that others cannot reach.
final class KeySetDownload: NSObject, URLSessionDataDelegate {
    private struct State {
        var bytes: [UInt8] = []
        var problem: GatewayError?
        var continuation: CheckedContinuation<[UInt8], any Error>?
    }

    private let state = Mutex(State())

    /// How many bytes it has of an answer.
    var held: Int { state.withLock { $0.bytes.count } }

    static func bytes(of url: URL) async throws -> [UInt8] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = GatewayLimits.keySetTimeout
        let download = KeySetDownload()
        let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            download.state.withLock { $0.continuation = continuation }
            session.dataTask(with: url).resume()
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200 { fail(GatewayError(502, reason: "the answer was \(status)")) }
        completionHandler(status == 200 ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            // What is cancelled goes on for a while, and fast.
            guard state.problem == nil else { return false }
            guard state.bytes.count + data.count <= GatewayLimits.keySetSize else { return true }
            state.bytes += data
            return false
        }
        guard isTooLarge else { return }
        fail(GatewayError(502, reason: "the key set has more than \(GatewayLimits.keySetSize) bytes"))
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let (old, new) = (task.originalRequest?.url, request.url)
        let isWithin = old?.host() == new?.host() && old?.scheme == new?.scheme && old?.port == new?.port
        if !isWithin { fail(GatewayError(502, reason: "the answer redirects to another host")) }
        completionHandler(isWithin ? request : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (state, continuation) = state.withLock { state in
            defer { state.continuation = nil }
            return (state, state.continuation)
        }
        if let problem = state.problem ?? error {
            continuation?.resume(throwing: problem)
        } else {
            continuation?.resume(returning: state.bytes)
        }
    }

    /// The first problem counts; the rest follows from it. What has come is of no use then.
    private func fail(_ problem: GatewayError) {
        state.withLock { state in
            if state.problem == nil { state.problem = problem }
            state.bytes = []
        }
    }
}
