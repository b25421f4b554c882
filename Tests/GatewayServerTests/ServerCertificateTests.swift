import DocumentValues
import Foundation
@testable import GatewayServer
import Testing

/// TLS, and the replacement of the certificate under a running gateway.
@Suite(.serialized) struct ServerCertificateTests {
    /// A folder with a certificate and its key.
    private struct Files {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        var tls: GatewayConfiguration.TLS {
            .init(certificatePath: folder.path + "/cert.pem", keyPath: folder.path + "/key.pem")
        }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let first = try CertificateAuthority(name: "test").issue(hosts: [])
            try write(first.pem, "cert.pem", age: 100)
            try write(first.keyPEM, "key.pem", age: 100)
        }

        func write(_ text: String, _ name: String, age: TimeInterval) throws {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file, options: .atomic)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    /// A file that is there and cannot be read is not taken for an absent one: nothing new is made over it. What cannot be
    /// read is a folder here, since the superuser may read all files.
    @Test(arguments: ["authority.pem", "authority-key.pem", "cert.pem"])
    func whatCannotBeReadIsReportedAndKept(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tls = GatewayConfiguration.TLS(
            certificatePath: folder.path + "/cert.pem", keyPath: folder.path + "/key.pem")
        let files = CertificateFiles(tls)
        _ = try files.make(hosts: ["field.example.org"])
        let isOwn = name.hasPrefix("authority")
        func content() throws -> [Data?] {
            try ["authority.pem", "authority-key.pem", "cert.pem", "key.pem"].map { other in
                other == name ? nil : try Data(contentsOf: folder.appendingPathComponent(other))
            }
        }
        let before = try content()
        let file = folder.appendingPathComponent(name)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let error = #expect(throws: ConfigurationError.self) { try files.renew(hosts: []) }
        #expect(error?.file == file.path && error?.problem.contains("(errno ") == true, "\(error?.description ?? "")")
        #expect(throws: ConfigurationError.self) { try files.state() }
        #expect(try content() == before)
        if isOwn { #expect(throws: Never.self) { try ServerCertificate(tls) } }
        // What is missing is named as such.
        try FileManager.default.removeItem(at: file)
        let missing = #expect(throws: ConfigurationError.self) { try files.renew(hosts: []) }
        #expect(missing?.file == file.path && missing?.problem.hasPrefix("is missing") == true)
        #expect(try content() == before)
    }

    /// A key without its certificate would keep the gateway from starting again.
    /// Laptops pin the authority: nothing is lost with the certificate alone.
    @Test(arguments: [["cert.pem"], ["key.pem"], ["cert.pem", "key.pem"]], [false, true])
    func aLostCertificateIsMadeAgainByItsAuthority(lost: [String], isDamaged: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = CertificateFiles(
            GatewayConfiguration.TLS(
                certificatePath: folder.path + "/cert.pem", keyPath: folder.path + "/key.pem"))
        _ = try files.make(hosts: ["field.example.org"])
        let authority = try files.state().authorityFingerprint
        for name in lost {
            let file = folder.appendingPathComponent(name)
            if isDamaged { try Data("junk".utf8).write(to: file) } else { try FileManager.default.removeItem(at: file) }
        }
        if lost.contains("cert.pem") {
            let error = #expect(throws: ConfigurationError.self) { try files.renew(hosts: []) }
            #expect(error?.description.contains("certificate renew --host NAME") == true, "\(error?.description ?? "")")
        }
        _ = try files.renew(hosts: ["new.example.org"])
        let state = try files.state()
        #expect(state.hosts.contains("new.example.org") && state.authorityFingerprint == authority)
    }

    /// Both files of the authority that signed it are lost.
    @Test func aCertificateWithoutItsAuthorityIsMadeAgain() throws {
        let files = try Files()
        defer { files.remove() }
        _ = try CertificateFiles(files.tls).make(hosts: ["field.example.org"])
        for name in ["authority.pem", "authority-key.pem"] {
            try FileManager.default.removeItem(at: files.folder.appendingPathComponent(name))
        }
        let error = #expect(throws: ConfigurationError.self) { try CertificateFiles(files.tls).renew(hosts: []) }
        #expect(error?.hint?.contains("make new ones with 'certificate new'") == true, "\(error?.hint ?? "")")
    }

    @Test func aPairIsReplacedAsAWhole() throws {
        let files = try Files()
        defer { files.remove() }
        _ = try CertificateFiles(files.tls).make(hosts: ["field.example.org"])
        // No file beside it can have a longer name.
        let long = files.folder.path + "/" + String(repeating: "c", count: 253)
        try FileManager.default.moveItem(atPath: files.tls.certificatePath, toPath: long)
        let key = try Data(contentsOf: URL(fileURLWithPath: files.tls.keyPath))
        let tls = GatewayConfiguration.TLS(certificatePath: long, keyPath: files.tls.keyPath)
        #expect(throws: ConfigurationError.self) { try CertificateFiles(tls).renew(hosts: []) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: files.tls.keyPath)) == key)
        #expect(throws: Never.self) { try ServerCertificate(tls) }
        let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
        #expect(!names.contains { $0.hasSuffix(".new") }, "\(names)")
    }

    @Test func aNewCertificateIsTakenOverWhenBothFilesFit() throws {
        let files = try Files()
        defer { files.remove() }
        let certificate = try ServerCertificate(files.tls)
        let first = certificate.context
        #expect(try !certificate.reloadIfChanged())
        let second = try CertificateAuthority(name: "test").issue(hosts: ["new"])
        try files.write(second.pem, "cert.pem", age: 50)
        // In between the key is still the old one.
        #expect(throws: ConfigurationError.self) { _ = try certificate.reloadIfChanged() }
        #expect(try !certificate.reloadIfChanged(), "it is reported once")
        #expect(certificate.context === first)
        try files.write(second.keyPEM, "key.pem", age: 50)
        #expect(try certificate.reloadIfChanged())
        #expect(certificate.context !== first)
        #expect(try !certificate.reloadIfChanged())
    }

    /// A renewal that is killed between the two files leaves a gateway that starts.
    @Test(arguments: ["cert.pem", "key.pem"]) func aHalfReplacedPairIsUsed(unfinished: String) throws {
        let files = try Files()
        defer { files.remove() }
        let second = try CertificateAuthority(name: "test").issue(hosts: ["new"])
        for (name, text) in [("cert.pem", second.pem), ("key.pem", second.keyPEM)] {
            try files.write(text, name == unfinished ? name + ".new" : name, age: 50)
        }
        #expect(throws: Never.self) { try ServerCertificate(files.tls) }
        try FileManager.default.removeItem(atPath: "\(files.folder.path)/\(unfinished).new")
        #expect(throws: ConfigurationError.self) { try ServerCertificate(files.tls) }
    }

    /// A file may be the same, and readable by now: its owner was changed, or its permissions.
    @Test func whatCouldNotBeUsedIsTriedAgain() throws {
        let files = try Files()
        defer { files.remove() }
        let certificate = try ServerCertificate(files.tls)
        let second = try CertificateAuthority(name: "test").issue(hosts: ["new"])
        try files.write(second.pem, "cert.pem", age: 50)
        #expect(throws: ConfigurationError.self) { _ = try certificate.reloadIfChanged() }
        let key = URL(fileURLWithPath: files.tls.keyPath)
        let old = try FileManager.default.attributesOfItem(atPath: key.path)[.modificationDate] as? Date
        let handle = try FileHandle(forWritingTo: key)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(second.keyPEM.utf8))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: try #require(old)], ofItemAtPath: key.path)
        #expect(try certificate.reloadIfChanged())
    }

    @Test(.timeLimit(.minutes(1)), arguments: GatewayConfiguration.TLS.Version.allCases)
    func newConnectionsSeeTheNewCertificate(version: GatewayConfiguration.TLS.Version) async throws {
        let files = try Files()
        defer { files.remove() }
        var tls = files.tls
        tls.minimumVersion = version
        let used = tls
        try await TestGateway.run {
            $0.tls = used
        } _: { gateway in
            var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            configuration.tls = used
            configuration.adminInterface = .init(host: "127.0.0.1", port: gateway.adminPort)
            let before = try AdminClient(configuration)
            #expect(try await before.request(.get, path: "/").status == 200)
            let second = try CertificateAuthority(name: "test").issue(hosts: ["new"])
            try files.write(second.pem, "cert.pem", age: 50)
            try files.write(second.keyPEM, "key.pem", age: 50)
            gateway.server.reload()
            // A command that runs meanwhile reads the file again.
            #expect(try await before.request(.get, path: "/").status == 200)
            try files.write(CertificateAuthority(name: "test").issue(hosts: ["old"]).pem, "cert.pem", age: 40)
            await #expect(throws: AdminError.self) { try await before.request(.get, path: "/") }
        }
    }
}
