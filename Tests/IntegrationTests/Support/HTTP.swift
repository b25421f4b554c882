import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Requests over HTTP from a thread that waits for the answer.
///
/// Each has a connection of its own: the gateways of tests are killed, and a connection to one that is gone would fail
/// the next request. Foundation's `URLSession` is not used: it can end the whole process where a connection breaks.
enum HTTP {
    struct Answer: Sendable {
        let status: Int
        let body: Data
    }

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        // Tests look themselves whether a gateway is up.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private struct NoAnswer: Error {}

    /// - Throws: where the connection failed, or the answer is not whole within 20 s.
    static func request(
        _ method: String, url: String, headers: [(String, String)] = [], body: Data? = nil
    ) throws -> Answer {
        var request = try HTTPClient.Request(url: url, method: .init(rawValue: method))
        request.headers.add(contentsOf: [("Connection", "close")] + headers)
        request.body = body.map { .bytes($0) }
        let answer = try answer(to: client.execute(request: request, deadline: .now() + .seconds(20)))
        let bytes = answer.body.map { Array($0.readableBytesView) } ?? []
        return Answer(status: Int(answer.status.code), body: Data(bytes))
    }

    /// Does not trust that the client keeps its deadline: a test without an end shows nothing.
    private static func answer(
        to future: EventLoopFuture<HTTPClient.Response>
    ) throws -> HTTPClient.Response {
        let answer = Mutex<Result<HTTPClient.Response, any Error>?>(nil)
        let arrival = DispatchSemaphore(value: 0)
        future.whenComplete { result in
            answer.withLock { $0 = result }
            arrival.signal()
        }
        guard arrival.wait(timeout: .now() + 60) == .success, let result = answer.withLock({ $0 }) else {
            throw NoAnswer()
        }
        return try result.get()
    }
}
