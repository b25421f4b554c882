import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Testing

@testable import FieldSync

/// How a sync signs in and what its replicator is given.
@Suite struct GatewayConnectionTests {
    private struct Unreadable: Error {}

    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder(password: "secret") }

    private func source(_ file: SignInSource.PasswordFile? = nil) -> SignInSource {
        SignInSource(TemporaryFolder.environment(temporary.field), passwordFile: file)
    }

    private var file: SignInSource.PasswordFile { .init(path: "~/handed-out") { "\($0) was read" } }

    private func authenticator(_ configuration: ReplicatorConfiguration) -> BasicAuthenticator? {
        configuration.authenticator as? BasicAuthenticator
    }

    // MARK: Signing in

    @Test func whatLoginKeptIsUsed() throws {
        let connection = try source().read()
        #expect(connection.credentials == Credentials(user: "mara", password: "secret"))
        #expect(connection.settings.gateway?.absoluteString == TemporaryFolder.gateway)
    }

    /// The name still comes from the login.
    @Test func aFileReplacesThePassword() throws {
        #expect(try source(file).read().credentials == Credentials(user: "mara", password: "~/handed-out was read"))
        #expect(throws: Unreadable.self) { try source(.init(path: "x") { _ in throw Unreadable() }).read() }
        try FolderSettings().save(in: temporary.field.folder)
        #expect(throws: SettingsError(.noLogin, path: temporary.field.folder.settingsFile.path)) {
            try source(file).read()
        }
    }

    @Test func aChangeShowsInTheseFiles() {
        #expect(source().files.map(\.name) == ["settings.json"])
        let files = source(file).files
        #expect(files.map(\.name) == ["settings.json", "handed-out"])
        #expect(files[0].folder.path == temporary.field.folder.url.path && files[1].folder.path == NSHomeDirectory())
    }

    /// Of two laptops of one person an operator sees which one has not come for a month.
    @Test(
        arguments: [
            ("vm-vq2", "Fieldbook/1.0 (Swift; Linux; vm-vq2)"), (nil, "Fieldbook/1.0 (Swift; Linux)"),
            ("a)\r\nX: y", "Fieldbook/1.0 (Swift; Linux)"), ("", "Fieldbook/1.0 (Swift; Linux)"),
        ] as [(String?, String)])
    func theGatewayReadsTheNameOfTheLaptop(device: String?, agent: String) throws {
        let connection = try source().read()
        var settings = connection.settings
        settings.device = device
        let named = GatewayConnection(
            field: connection.field, settings: settings, credentials: connection.credentials)
        #expect(try named.configuration(continuous: false).headers == ["User-Agent": agent])
        #expect(try named.trial().headers == ["User-Agent": agent])
    }

    @Test func anotherPasswordIsAnotherSignIn() throws {
        let connection = try source().read()
        #expect(try source().read().identity == connection.identity)
        #expect(try source(file).read().identity != connection.identity)
        var settings = connection.settings
        settings.trust = .selfSigned
        let other = GatewayConnection(
            field: temporary.field, settings: settings, credentials: connection.credentials)
        #expect(other.identity != connection.identity)
    }

    // MARK: Replicating

    @Test(arguments: [true, false]) func everyKindOfRecordIsExchanged(isContinuous: Bool) throws {
        let configuration = try source().read().configuration(continuous: isContinuous)
        #expect(configuration.collections.map(\.collection.name) == GatewayConnection.order.map(\.plural))
        #expect(Set(GatewayConnection.order) == Set(RecordKind.allCases))
        #expect(configuration.continuous == isContinuous)
        #expect((configuration.maxAttempts == ServiceLimits.syncAttempts) != isContinuous)
        #expect(configuration.endsInSilence != isContinuous, "somebody waits for the end of a sync")
        #expect(authenticator(configuration) == BasicAuthenticator(username: "mara", password: "secret"))
        #expect(!configuration.acceptOnlySelfSignedServerCertificate && configuration.pinnedServerCertificate == nil)
    }

    @Test(arguments: [true, false]) func aTrialAsksForNothing(isAnonymous: Bool) throws {
        let configuration = try source().read().trial(isAnonymous: isAnonymous)
        #expect(configuration.replicatorType == .pull && configuration.maxAttempts == 1 && !configuration.continuous)
        #expect(configuration.collections.allSatisfy { $0.documentIDs == ["no-such-record"] })
        #expect((authenticator(configuration) == nil) == isAnonymous)
    }

    @Test func aGatewayIsNeeded() throws {
        let connection = GatewayConnection(
            field: temporary.field, settings: FolderSettings(), credentials: Credentials(user: "mara", password: "x"))
        #expect(throws: SettingsError.self) { try connection.configuration(continuous: false) }
        #expect(throws: SettingsError.self) { try connection.trial() }
    }

    @Test func nothingWaitsForNobody() throws {
        let field = temporary.field
        #expect(try WaitingRecords(field: field, settings: FolderSettings()).count(of: .site) == nil)
        let waiting = try WaitingRecords(field: field, settings: FolderSettings(of: field.folder))
        #expect(try waiting.count(of: .site) == 1 && waiting.count(of: .finding) == 0)
    }
}
