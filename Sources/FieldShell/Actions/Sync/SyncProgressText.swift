import DocumentValues
import Foundation

/// The texts during a sync.
enum SyncProgressText {
    /// A user who sees no text for long does not know whether to wait.
    static func silence(of gateway: URL?, seconds: Int64) -> String {
        let address = gateway.map { " at \($0.absoluteString.printableLine)" } ?? ""
        return "The gateway\(address) has not answered for \(seconds) s; waiting. Stop with Ctrl-C."
    }

    /// `Trying gateway.example.org:4984 …`.
    static func trying(_ gateway: URL?) -> String {
        let port = gateway?.port.map { ":\($0)" } ?? ""
        let name = gateway?.host.map { $0 + port } ?? "the gateway"
        return "Trying \(name) … Ctrl-C stops. Your records are safe here.".printableLine
    }
}
