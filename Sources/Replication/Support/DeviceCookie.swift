import DocumentStore
import DocumentValues
import Foundation

/// The cookie by which a gateway of Fieldbook recognises a device on which the user has signed in before, while others
/// guess passwords from the same address. It grants no access, so unlike a session it may be stored on the disk; the
/// jar has it for one process only.
struct DeviceCookie {
    private static let name = "FieldbookDevice"

    private let jar: CookieJar
    private let store: ReplicationStore
    private let url: URL

    /// `nil` for an address that cannot have cookies.
    init?(in jar: CookieJar, of store: ReplicationStore, for endpoint: URLEndpoint) {
        guard let url = URL(string: endpoint.syncAddress) else { return nil }
        self.jar = jar
        self.store = store
        self.url = url
    }

    /// Puts the cookie of an earlier process into the jar, unless it has one.
    func load() throws {
        guard jar.cookie(named: Self.name, for: url) == nil,
            let stored = try store.deviceCookie(of: address)
        else { return }
        jar.store(
            setCookieHeaders: [String(decoding: stored, as: UTF8.self)], from: url, acceptsParentDomain: false)
    }

    /// Stores the cookie that the gateway has set, if it has set one.
    func save() throws {
        guard let cookie = jar.cookie(named: Self.name, for: url) else { return }
        let text = "\(cookie.name)=\(cookie.value); Path=\(cookie.path)" + (cookie.isSecure ? "; Secure" : "")
        guard try store.deviceCookie(of: address) != Array(text.utf8) else { return }
        try store.saveDeviceCookie(Array(text.utf8), of: address)
    }

    private var address: String { url.absoluteString }
}
