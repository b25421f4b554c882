import Glibc

/// How the look-up of a host's addresses of one family ended. Most hosts have addresses of one family only, so it is no
/// failure if the other has none.
struct LookUp {
    /// `AF_INET` or `AF_INET6`
    let family: Int32
    let result: Result<[String], any Error>

    /// The steps to report when `lookUp` has ended.
    ///
    /// - Parameter earlier: the look-up of the other family; `nil` where that has not ended yet.
    static func steps(host: String, _ lookUp: LookUp, after earlier: LookUp?) -> [ConnectionStep] {
        switch (lookUp.result, earlier?.result) {
        case (.success(let addresses), .failure):
            [.found(host: host, addresses: addresses), .missing(host: host, family: lookUp.otherName)]
        case (.success(let addresses), .success), (.success(let addresses), nil):
            [.found(host: host, addresses: addresses)]
        case (.failure, .success): [.missing(host: host, family: lookUp.name)]
        case (.failure, nil): []
        case (.failure(let error), .failure): [.notFound(host: host, reason: "\(error)")]
        }
    }

    private var name: String { family == AF_INET6 ? "IPv6" : "IPv4" }
    private var otherName: String { family == AF_INET6 ? "IPv4" : "IPv6" }
}
