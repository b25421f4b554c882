import DocumentValues
import Foundation

/// The configuration as it is stored in the file.
struct StoredConfiguration: Sendable {
    let json: JSONObject
    /// 1 for the first, one more with each change.
    let number: UInt64
    let times: ConfigurationTimes

    /// `N-hash`
    var version: String {
        let digest = RevisionDigest.gatewayDigest(parent: nil, body: .object(json))
        return "\(number)-\(digest)"
    }
}

/// When a configuration was first and last given, as `_config` shows it.
struct ConfigurationTimes: Sendable, Hashable {
    var created: String
    var updated: String

    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
