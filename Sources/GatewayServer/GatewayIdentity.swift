/// The name of the gateway; clients show it, and some check the vendor.
enum GatewayIdentity {
    static let version = "0.1"
    static let product = "Fieldbook Gateway"
    static let serverHeader = "Fieldbook Gateway/0.1"
    static let realm = #"Basic realm="Fieldbook Gateway""#
}
