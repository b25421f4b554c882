import Crypto
import DocumentValues

/// A new session, as it is returned once.
package struct NewSession: Sendable, Hashable {
    /// 40 hexadecimal digits: the value of the cookie.
    package let id: String
    package let user: Name
    /// Seconds since 1970.
    package let expires: Int64
}

/// A session as it is stored, under a keyed hash of its id.
struct Session: Sendable {
    let key: [UInt8]
    let user: Name
    var expires: Int64
    let lifetime: Int64
    let generation: Int64
    /// Ends with its first use.
    var isOneTime = false

    static func key(_ id: String, secret: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(id.utf8), using: SymmetricKey(data: secret)))
    }

    /// More than a tenth of its lifetime has passed since it was made or renewed.
    func isDueForRenewal(now: Int64) -> Bool { expires - now < lifetime - lifetime / 10 }
}
