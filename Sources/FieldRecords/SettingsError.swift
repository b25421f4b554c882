import DocumentValues
import Foundation

/// Why a folder's settings cannot be used.
public struct SettingsError: AdvisingError, Sendable, Hashable {
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
        /// Records were exchanged under another user's name.
        case ofAnother(String)
    }

    public let code: Code
    @Exact public private(set) var path: String

    public init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    public var advised: AdvisedText {
        switch code {
        case .noFolder: "There is no Fieldbook folder at \(path). Make one\(with: .makeFolder, or: ".")"
        case .noSettings:
            """
            The Fieldbook folder at \(path) has lost its settings.json. Its database with the records is there. \
            Make new settings\(with: .makeFolder). Then sign in as the same user as before\(with: .signIn, or: ".")
            """
        case .alreadyInitialized: "There is a Fieldbook folder at \(path) already. Nothing was changed."
        case .unreadable(let reason):
            "The settings \(path) cannot be read: \(reason). Sign in again\(with: .signIn, or: ".")"
        case .noLogin: "No user has signed in yet. Sign in\(with: .signIn, or: ".")"
        case .passwordUnreadable: "The password kept in \(path) cannot be read. Sign in again\(with: .signIn, or: ".")"
        case .badGateway(let address):
            "'\(address)' is no address of a gateway: write it like wss://gateway.example:4984/field"
        case .secretInGateway(let address):
            """
            '\(address)' has a user or a password in front of the gateway's name (not shown here): leave it out; \
            you are asked for both.
            """
        case .ofAnother(let user):
            """
            The records in \(path) are those of \(user), and some of them only \(user) may see. Nothing was changed. \
            Another person who works on this computer needs another folder\(colon: .takeOwnFolder, or: ".")
            """
        }
    }
}
