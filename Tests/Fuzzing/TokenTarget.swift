import DocumentValues
import Foundation

@testable import GatewayCore

extension FuzzTarget {
    /// A JSON Web Token as it comes in a header, and the same bytes as a key that an issuer publishes.
    static let token = FuzzTarget(
        name: "token",
        seeds: {
            let parts = [
                #"{"alg":"ES256","kid":"one"}"#, #"{"iss":"https://i","aud":["a","b"],"sub":"ann","exp":4102444800}"#,
            ]
            let coded = parts.map { Data($0.utf8).base64EncodedString().filter { $0 != "=" } }
            let key = #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"one","x":"AAAA","y":"AAAA","use":"sig"}"#
            return [coded.joined(separator: ".") + ".AAAA", "a.b.c", key].map { Array($0.utf8) }
        }
    ) { bytes in
        if let token = SignedToken(text(bytes)) {
            check(token.signed.count < bytes.count, "what is signed is longer than the token")
            for issuer in issuers {
                _ = issuer.userName(token.claims)
                _ = issuer.grants(token.claims, now: 1_800_000_000)
            }
        }
        _ = try TokenKey(JSONObject(parsing: bytes))
    }

    /// With claims of every name that the seeds have.
    private static let issuers: [TokenIssuer] = {
        let names: [JSONValue] = ["sub", "iss", "aud"]
        let configured = names.map { name -> JSONValue in
            [
                "issuer": "https://i", "client_id": "", "algorithms": ["ES256"], "jwks_uri": "https://i/k",
                "username_claim": name, "roles_claim": "aud", "channels_claim": name,
            ]
        }
        let members = configured.enumerated().map { (key: "\($0)", value: $1) }
        return (try? TokenIssuer.all(.object(JSONObject(members: members.map { .init(key: $0.key, value: $0.value) }))))
            ?? []
    }()
}
