import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication

/// How a folder's records are replicated with its gateway.
public struct GatewayConnection {
    public let field: FieldDatabase
    public let settings: FolderSettings
    public let credentials: Credentials
    /// The laptop's clock, for changes that a sync makes by itself.
    public var now: @Sendable () -> Timestamp = {
        Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970))
    }

    /// - Throws: `SettingsError` if no user has signed in.
    public init(field: FieldDatabase, settings: FolderSettings) throws {
        self.init(field: field, settings: settings, credentials: try field.signIn.credentials(in: settings))
    }

    public init(field: FieldDatabase, settings: FolderSettings, credentials: Credentials) {
        self.field = field
        self.settings = settings
        self.credentials = credentials
    }

    /// What a worker needs first goes first; among the records sites, so that those that refer to them find them.
    static let order: [RecordKind] = [.form, .assignment, .response, .site, .inspection, .finding]

    public func configuration(continuous: Bool) throws -> ReplicatorConfiguration {
        try configuration(continuous: continuous, amid: ArrivingDistricts(into: field.store))
    }

    /// - Parameter districts: which of them were here before.
    func configuration(continuous: Bool, amid districts: ArrivingDistricts) throws -> ReplicatorConfiguration {
        var configuration = ReplicatorConfiguration(
            collections: Self.order.map { kind in
                var collection = CollectionConfiguration(collection: field.collection(of: kind))
                collection.pullTurn = Self.isNeededFirst(kind) ? 0 : 1
                collection.attachmentPull = attachmentPull(of: kind, continuous: continuous)
                collection.conflictResolver = RecordConflictResolver(
                    kind, in: field.store, user: credentials.user, device: settings.device)
                collection.keepsLostRevisions = true
                collection.mayBeMissing = Self.mayBeMissing(kind)
                if kind == .response { collection.pushFilter = Self.isNoDraft }
                collection.isOwnWork = { [credentials] in
                    ($0.string(forKey: "changedBy") ?? $0.string(forKey: "createdBy"))?.isExactly(credentials.user)
                        == true
                }
                collection.remoteDeletionHandler = { [field, user = credentials.user] in
                    try field.deletions.keep(kind, ids: $0, for: user)
                }
                collection.remoteChangeHandler = beforeChanges(of: kind, amid: districts)
                return collection
            },
            target: URLEndpoint(url: try address()))
        configuration.continuous = continuous
        configuration.authenticator = BasicAuthenticator(
            username: credentials.user, password: credentials.password)
        configuration.endsInSilence = !continuous
        if !continuous { configuration.maxAttempts = ServiceLimits.syncAttempts }
        configuration.maxAttemptWaitTime = ServiceLimits.syncWait
        configuration.headers = ["User-Agent": userAgent]
        try trust(&configuration)
        return configuration
    }

    /// The work and the forms for it: few documents, before the many records.
    private static func isNeededFirst(_ kind: RecordKind) -> Bool {
        switch kind {
        case .form, .assignment, .response: true
        case .site, .inspection, .finding: false
        }
    }

    /// The files of a form are needed to fill it. A single sync fetches photos behind all records; the service, whose exchange
    /// has no end, with their record, or not at all.
    private func attachmentPull(of kind: RecordKind, continuous: Bool) -> AttachmentPull {
        guard AbsentPhotos.kinds.contains(kind) else { return .withDocuments }
        return continuous && settings.photos == .always ? .withDocuments : .later
    }

    /// For the files that these records lack.
    func photoConfiguration(of records: [RecordReference]) throws -> ReplicatorConfiguration {
        var configuration = try configuration(continuous: false)
        configuration.replicatorType = .pull
        configuration.collections = zip(Self.order, configuration.collections).compactMap { kind, collection in
            let ids = records.filter { $0.kind == kind }.map(\.id)
            guard !ids.isEmpty else { return nil }
            var collection = collection
            collection.documentIDs = ids
            collection.attachmentPull = .missingOnly
            return collection
        }
        return configuration
    }

    /// A gateway that was set up for an earlier version has no collection for filled forms; the other records are exchanged.
    private static func mayBeMissing(_ kind: RecordKind) -> Bool { kind == .response }

    /// A filled form that is not finalised stays on its laptop. A deletion has no state, and goes to those who know the record.
    @Sendable private static func isNoDraft(_ document: Document, flags: DocumentFlags) -> Bool {
        let state = document.string(forKey: Response.Key.state.rawValue)
        return flags.contains(.deleted) || state != Response.State.draft.rawValue
    }

    /// `nil` for kinds of records that have no owner.
    private func beforeChanges(
        of kind: RecordKind, amid districts: ArrivingDistricts
    ) -> (([RemoteChange]) throws -> Void)? {
        guard [.site, .inspection, .finding].contains(kind) else { return nil }
        return { [field, now, user = credentials.user, device = settings.device ?? DeviceName.host] incoming in
            let author = Author(name: user, moment: now(), device: device)
            try field.newIDs.renameOthers(of: kind, than: incoming, by: author)
            try field.receivedChanges.keepBeforeChanges(of: kind, to: incoming, for: user, amid: districts)
        }
    }

    /// Connects without an exchange: checks the gateway, the database, its collections and the user.
    ///
    /// - Parameter isAnonymous: sends no name and no password.
    public func trial(isAnonymous: Bool = false) throws -> ReplicatorConfiguration {
        var configuration = ReplicatorConfiguration(
            collections: RecordKind.allCases.map { kind in
                var collection = CollectionConfiguration(collection: field.collection(of: kind))
                collection.documentIDs = ["no-such-record"]
                collection.mayBeMissing = Self.mayBeMissing(kind)
                return collection
            }, target: URLEndpoint(url: try address()))
        configuration.replicatorType = .pull
        configuration.maxAttempts = 1
        configuration.endsInSilence = true
        configuration.headers = ["User-Agent": userAgent]
        if !isAnonymous {
            configuration.authenticator = BasicAuthenticator(
                username: credentials.user, password: credentials.password)
        }
        try trust(&configuration)
        return configuration
    }

    /// An operator finds a laptop by its name. The settings are a file that may have been edited by hand.
    private var userAgent: String {
        let device = settings.device.flatMap { name in
            let isPlain = name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            }
            return isPlain && !name.isEmpty ? name : nil
        }
        return ReplicatorConfiguration.userAgent(device: device)
    }

    private func address() throws -> URL {
        guard let gateway = settings.gateway else {
            throw SettingsError(.noLogin, path: field.folder.settingsFile.path)
        }
        return gateway
    }

    private func trust(_ configuration: inout ReplicatorConfiguration) throws {
        switch settings.trust {
        case .system: break
        case .selfSigned: configuration.acceptOnlySelfSignedServerCertificate = true
        case .pinned(let bytes): configuration.pinnedServerCertificate = try Certificate(data: Data(bytes))
        }
    }
}
