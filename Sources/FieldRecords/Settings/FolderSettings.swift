import DocumentValues
import Foundation

/// The settings of a folder for its gateway and its user: a file of JSON that only its owner can read.
public struct FolderSettings: Sendable, Hashable {
    /// `wss://gateway.example:4984/field`; `nil` before the first login.
    public var gateway: URL?
    @Exact public var user: String?
    public var trust: GatewayTrust
    /// The name of this device in records, beside that of the user who changed them; `nil` in folders made before
    /// records had that.
    @Exact public var device: String?
    /// What forms read as the id of the device: `fieldbook:` and 16 letters and digits; `nil` until a form was filled.
    @Exact package private(set) var formDevice: String?
    /// The input of a login that failed, to be offered at the next one.
    public var attempt: LoginAttempt?
    /// A name that another version of the program has written counts as `always`.
    public var photos = PhotoPolicy.always
    /// Base64 of the password, sealed under the key of the attachments.
    @Exact var sealedPassword: String?

    public init() { trust = .system }

    /// The gateway and the name with which the user tried to sign in.
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
        func unreadable(_ what: String) -> SettingsError {
            SettingsError(.unreadable(what), path: folder.settingsFile.path)
        }
        gateway = try object["gateway"]?.stringValue.map { text in
            guard let url = URL(string: text) else { throw unreadable("its gateway is no address") }
            return url
        }
        user = object["user"]?.stringValue
        device = object["device"]?.stringValue
        formDevice = object["formDevice"]?.stringValue
        sealedPassword = object["sealedPassword"]?.stringValue
        photos = object["photos"]?.stringValue.flatMap { PhotoPolicy(exactly: $0) } ?? .always
        if let gateway = object["triedGateway"]?.stringValue, let user = object["triedUser"]?.stringValue {
            attempt = LoginAttempt(gateway: gateway, user: user)
        }
        // Trusting other certificates than the user chose would weaken the trust unnoticed.
        switch (object["trust"]?.stringValue, object["certificate"]?.stringValue.flatMap { Base64.decode($0) }) {
        case ("pinned", let certificate?): trust = .pinned(certificate)
        case ("pinned", nil): throw unreadable("the certificate that it trusts cannot be read")
        case ("selfSigned", _): trust = .selfSigned
        case ("system", _), (nil, _): trust = .system
        case (let other?, _): throw unreadable("its kind of trust, '\(other)', is not known")
        }
    }

    /// The id of the device for forms, made once for a folder.
    package static func formDevice(of folder: FieldFolder) throws -> String {
        var settings = try FolderSettings(of: folder)
        if let known = settings.formDevice { return known }
        var generator = SystemRandomNumberGenerator()
        let made = "fieldbook:" + RecordIDs.text(ofLength: 16, using: &generator)
        settings.formDevice = made
        try settings.save(in: folder)
        return made
    }

    public func save(in folder: FieldFolder) throws {
        var object: JSONObject = ["version": 1]
        object["gateway"] = gateway.map { .string($0.absoluteString) }
        object["user"] = user.map { .string($0) }
        object["device"] = device.map { .string($0) }
        object["formDevice"] = formDevice.map { .string($0) }
        object["sealedPassword"] = sealedPassword.map { .string($0) }
        if photos != .always { object["photos"] = .string(photos.rawValue) }
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
