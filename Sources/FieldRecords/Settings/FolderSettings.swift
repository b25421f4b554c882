import DocumentValues
import Foundation

/// What a folder remembers of its gateway and its user; a file of JSON that only its owner can read.
public struct FolderSettings: Sendable, Hashable {
    /// `wss://gateway.example:4984/field`; `nil` before the first login.
    public var gateway: URL?
    @Exact public var user: String?
    public var trust: GatewayTrust
    /// What records call this device beside who changed them; `nil` in folders made before records had that.
    @Exact public var device: String?
    /// What was typed at a login that failed, to be offered at the next one.
    public var attempt: LoginAttempt?
    /// Base64 of the password, sealed under the key of the attachments.
    @Exact var sealedPassword: String?

    public init() { trust = .system }

    /// Where somebody tried to sign in, and as whom.
    public struct LoginAttempt: Sendable, Hashable {
        public let gateway: String
        public let user: String

        public init(gateway: String, user: String) {
            self.gateway = gateway
            self.user = user
        }
    }

    /// How the gateway proves who it is.
    public enum GatewayTrust: Sendable, Hashable {
        /// By a certificate that the system's authorities vouch for.
        case system
        /// By a certificate that it signed itself.
        case selfSigned
        /// By this very certificate (PEM or DER).
        case pinned([UInt8])
    }

    /// - Throws: `SettingsError` if the folder has none, or they cannot be read.
    public init(of folder: FieldFolder) throws {
        guard folder.isInitialized else { throw folder.missing }
        let object: JSONObject
        do {
            object = try JSONObject(parsing: Array(try Data(contentsOf: folder.settingsFile)))
        } catch {
            throw SettingsError(.unreadable("\(error)"), path: folder.settingsFile.path)
        }
        gateway = object["gateway"]?.stringValue.flatMap { URL(string: $0) }
        user = object["user"]?.stringValue
        device = object["device"]?.stringValue
        sealedPassword = object["sealedPassword"]?.stringValue
        if let gateway = object["triedGateway"]?.stringValue, let user = object["triedUser"]?.stringValue {
            attempt = LoginAttempt(gateway: gateway, user: user)
        }
        switch (object["trust"]?.stringValue, object["certificate"]?.stringValue.flatMap { Base64.decode($0) }) {
        case ("pinned", let certificate?): trust = .pinned(certificate)
        case ("selfSigned", _): trust = .selfSigned
        default: trust = .system
        }
    }

    public func save(in folder: FieldFolder) throws {
        var object: JSONObject = ["version": 1]
        object["gateway"] = gateway.map { .string($0.absoluteString) }
        object["user"] = user.map { .string($0) }
        object["device"] = device.map { .string($0) }
        object["sealedPassword"] = sealedPassword.map { .string($0) }
        object["triedGateway"] = attempt.map { .string($0.gateway) }
        object["triedUser"] = attempt.map { .string($0.user) }
        switch trust {
        case .system: object["trust"] = "system"
        case .selfSigned: object["trust"] = "selfSigned"
        case .pinned(let certificate):
            object["trust"] = "pinned"
            object["certificate"] = .string(Base64.encode(certificate))
        }
        try FieldFolder.writePrivately(object.bytes + [UInt8(ascii: "\n")], to: folder.settingsFile)
    }
}

/// Why a folder's settings cannot be used.
public struct SettingsError: UserFacingError, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case noFolder
        /// The database is there, its settings are not.
        case noSettings
        case alreadyInitialized
        case unreadable(String)
        case noLogin
        case passwordUnreadable
        case badGateway(String)
        /// An address with a user or a password in it, without these.
        case secretInGateway(String)
        /// Records were exchanged as somebody else.
        case ofAnother(String)
    }

    public let code: Code
    @Exact public private(set) var path: String

    public init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    public var description: String {
        switch code {
        case .noFolder: "There is no Fieldbook folder at \(path). Make one with: fieldbook init"
        case .noSettings:
            "The Fieldbook folder at \(path) has lost its settings.json. Its database with the records is there. "
                + "Make new settings with: fieldbook init. Then sign in as the same user as before with: fieldbook login"
        case .alreadyInitialized: "There is a Fieldbook folder at \(path) already. Nothing was changed."
        case .unreadable(let reason):
            "The settings \(path) cannot be read: \(reason). Sign in again with: fieldbook login"
        case .noLogin: "Nobody has signed in yet. Sign in with: fieldbook login"
        case .passwordUnreadable: "The password kept in \(path) cannot be read. Sign in again with: fieldbook login"
        case .badGateway(let address):
            "'\(address)' is no address of a gateway: write it like wss://gateway.example:4984/field"
        case .secretInGateway(let address):
            "'\(address)' has a user or a password in front of the gateway's name (not shown here): leave it out; "
                + "you are asked for both."
        case .ofAnother(let user):
            "The records in \(path) are those of \(user), with what only \(user) may see. Nothing was changed. "
                + "Anybody else who works on this computer takes a folder of their own: "
                + "fieldbook init --folder DIR, then fieldbook login --folder DIR"
        }
    }
}
