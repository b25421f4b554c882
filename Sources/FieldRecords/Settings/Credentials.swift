import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// The user who signs in at the gateway.
public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    @Exact public private(set) var user: String
    @Exact public private(set) var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Never the password: descriptions end up in logs.
    public var description: String { "credentials of \(user)" }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
