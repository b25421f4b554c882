import DocumentValues
import Foundation
@testable import GatewayServer
import Testing

/// By which certificate a command knows the gateway of its own machine.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AdminClientTrustTests {
    private struct Files {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)")
        var tls: GatewayConfiguration.TLS {
            .init(certificatePath: folder.path + "/cert.pem", keyPath: folder.path + "/key.pem")
        }

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        /// As from elsewhere: the certificate without the authority that signed it.
        func write(_ issued: CertificateAuthority.Issued) throws {
            let marker = "-----END CERTIFICATE-----\n"
            let end = try #require(issued.pem.range(of: marker))
            try write(String(issued.pem[..<end.upperBound]), "cert.pem")
            try write(issued.keyPEM, "key.pem")
        }

        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private static func client(_ gateway: TestGateway, _ files: Files) throws -> AdminClient {
        var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
        configuration.adminInterface = .init(host: "127.0.0.1", port: gateway.adminPort)
        configuration.tls = files.tls
        return try AdminClient(configuration)
    }

    private static func problem(_ client: AdminClient) async -> String {
        let error = await #expect(throws: AdminError.self) { try await client.send(.get, path: "/_status") }
        return error.map { "\($0)" } ?? ""
    }

    @Test func theCertificateInTheFileIsTrustedWithoutItsAuthority() async throws {
        let files = try Files()
        defer { files.remove() }
        let authority = try CertificateAuthority(name: "elsewhere")
        let first = try authority.issue(hosts: ["field.example.org"])
        try files.write(first)
        try await TestGateway.run {
            $0.tls = files.tls
        } _: { gateway in
            try await Self.client(gateway, files).send(.get, path: "/_status")
            // Until the gateway has taken over another one.
            try files.write(try CertificateAuthority(name: "another").issue(hosts: ["field.example.org"]))
            let other = await Self.problem(try Self.client(gateway, files))
            #expect(other.contains("shows another certificate than \(files.tls.certificatePath)"), "\(other)")
            // One of the gateway's own authority is known all the same, also where the file is lost.
            try files.write(try authority.pem, "authority.pem")
            try await Self.client(gateway, files).send(.get, path: "/_status")
            try FileManager.default.removeItem(atPath: files.tls.certificatePath)
            try await Self.client(gateway, files).send(.get, path: "/_status")
            try FileManager.default.removeItem(at: files.folder.appendingPathComponent("authority.pem"))
            await #expect(throws: ConfigurationError.self) {
                try await Self.client(gateway, files).send(.get, path: "/_status")
            }
            try files.write(first)
        }
    }

    @Test func whatSpeaksNoTLSIsNamed() async throws {
        let files = try Files()
        defer { files.remove() }
        try files.write(try CertificateAuthority(name: "elsewhere").issue(hosts: []))
        try await TestGateway.run { gateway in
            let problem = await Self.problem(try Self.client(gateway, files))
            #expect(problem.contains("does not speak TLS as the configuration says"), "\(problem)")
        }
    }

    @Test func daysAreRemarkedOn() throws {
        let day: TimeInterval = 86_400
        func remark(_ begin: TimeInterval, _ end: TimeInterval) -> String? {
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            return CertificateDays(begin: now + begin * day, end: now + end * day).remark(on: now)
        }
        #expect(remark(-10, 31) == nil)
        #expect(remark(-10, 29)?.hasPrefix("the certificate ends on 2027-02-13; renew it") == true)
        #expect(remark(-10, -1)?.hasPrefix("the certificate ended on 2027-01-14, no client takes it") == true)
        #expect(remark(1, 100)?.hasPrefix("the certificate is valid from 2027-01-16 only") == true)
    }

    /// What would keep the gateway from starting again.
    @Test(arguments: ["key.pem", "cert.pem"]) func statusNamesFilesThatCannotBeUsed(name: String) async throws {
        let files = try Files()
        defer { files.remove() }
        let authority = try CertificateAuthority(name: "own")
        try files.write(try authority.issue(hosts: []))
        try files.write(try authority.pem, "authority.pem")
        try await TestGateway.run {
            $0.tls = files.tls
        } _: { gateway in
            var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            configuration.adminInterface = .init(host: "127.0.0.1", port: gateway.adminPort)
            configuration.tls = files.tls
            let status = try await GatewayStatus.read(configuration) { _ in "" }
            #expect(status.certificateProblem == nil && status.certificateEnd != nil)
            try files.write("x", name)
            let problem = try await GatewayStatus.read(configuration) { _ in "" }.certificateProblem
            #expect(problem?.contains("\(name): is not a readable PEM") == true, "\(problem ?? "")")
        }
    }
}
