import BLIPTransport
import DocumentStore
import Foundation
import NIOCore

extension ReplicatorConfiguration {
    /// The name of the program that is sent to a gateway.
    ///
    /// - Parameter device: the laptop's name, by which an operator knows it; letters, digits and hyphens.
    package static func userAgent(device: String? = nil) -> String {
        "Fieldbook/1.0 (Swift; Linux\(device.map { "; \($0)" } ?? ""))"
    }
}

/// A configuration in the terms of the transport.
struct ClientSettings {
    private let configuration: ReplicatorConfiguration
    private let endpoint: URLEndpoint
    private let jar: CookieJar
    private let environment: ReplicatorEnvironment

    init(
        _ configuration: ReplicatorConfiguration, endpoint: URLEndpoint, jar: CookieJar,
        environment: ReplicatorEnvironment = ReplicatorEnvironment()
    ) {
        self.configuration = configuration
        self.endpoint = endpoint
        self.jar = jar
        self.environment = environment
    }

    var client: BLIPClientConfiguration {
        var client = BLIPClientConfiguration(
            url: endpoint.syncAddress, authorization: (configuration.authenticator as? BasicAuthenticator)?.header,
            cookies: cookies, userAgent: ReplicatorConfiguration.userAgent(), headers: headers,
            trust: configuration.trust, heartbeat: heartbeat,
            pongTimeout: environment.pongTimeout, connectTimeout: environment.connectTimeout,
            networkInterface: configuration.networkInterface, proxy: proxy)
        client.replies.silence = environment.silence
        client.replies.awaitsMessages = configuration.endsInSilence
        client.report = { step in
            if step.isFailure { LibraryLog.network.info("\(step)") } else { LibraryLog.network.verbose("\(step)") }
        }
        return client
    }

    /// Within the range of the clock.
    private var heartbeat: TimeAmount {
        let seconds = configuration.effectiveHeartbeat
        let bounded = min(max(seconds, ReplicationLimits.shortestHeartbeat), ReplicationLimits.longestHeartbeat)
        return .milliseconds(Int64(bounded * 1_000))
    }

    private var headers: [(name: String, value: String)] {
        (configuration.headers ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var cookies: EndpointCookies {
        EndpointCookies(
            jar: jar, endpoint: endpoint, session: configuration.authenticator as? SessionAuthenticator,
            acceptsParentDomain: configuration.acceptParentDomainCookie)
    }

    private var proxy: BLIPClientConfiguration.Proxy? {
        configuration.proxy.map { proxy in
            let authorization = proxy.username.map {
                BasicAuthenticator(username: $0, password: proxy.password ?? "").header
            }
            return BLIPClientConfiguration.Proxy(
                host: proxy.host, port: Int(proxy.port), authorization: authorization)
        }
    }
}
