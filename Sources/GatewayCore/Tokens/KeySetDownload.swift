import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Reads an issuer's key set, up to the limit of its length. Redirects are only followed within the host: an issuer
/// must not be able to redirect the gateway into a network that others cannot reach.
enum KeySetDownload {
    /// - Parameter limit: how long it may take in total, including the body: a user waits to sign in.
    static func bytes(
        of url: URL, within limit: Duration = .seconds(GatewayLimits.keySetTimeout)
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            defer { group.cancelAll() }
            group.addTask { try await fetch(url) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw GatewayError.lateKeySet(within: limit)
            }
            return try await group.next() ?? []
        }
    }

    private static func fetch(_ url: URL) async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // If the issuer's host refuses the connection, that is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        let deadline = NIODeadline.now() + .seconds(GatewayLimits.keySetTimeout)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var url = url
            for _ in 0...GatewayLimits.keySetRedirects {
                let answer = try await client.execute(HTTPClientRequest(url: url.absoluteString), deadline: deadline)
                switch answer.status.code {
                case 200: return try await bytes(in: answer.body)
                case 301, 302, 303, 307, 308:
                    url = try target(of: answer.headers.first(name: "location") ?? "", from: url)
                default: throw GatewayError.keySetAnswer(answer.status.code)
                }
            }
            throw GatewayError.keySetRedirectedTooOften
        }
    }

    /// Reading of a body ends with the part that exceeds the limit of a key set.
    static func bytes<Parts: AsyncSequence>(in body: Parts) async throws -> [UInt8] where Parts.Element == ByteBuffer {
        var bytes: [UInt8] = []
        for try await part in body {
            guard bytes.count + part.readableBytes <= GatewayLimits.keySetSize else {
                throw GatewayError.keySetTooLarge
            }
            bytes += part.readableBytesView
        }
        return bytes
    }

    static func target(of location: String, from old: URL) throws -> URL {
        guard let new = URL(string: location, relativeTo: old)?.absoluteURL, !location.isEmpty else {
            throw GatewayError.keySetRedirectedNowhere
        }
        guard old.host() == new.host(), old.scheme == new.scheme, old.port == new.port else {
            throw GatewayError.keySetRedirectedElsewhere
        }
        return new
    }
}
