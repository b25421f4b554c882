import Foundation
import X509

/// The dates between which clients accept a certificate.
struct CertificateDays: Sendable, Hashable {
    let begin: Date
    let end: Date

    init(begin: Date, end: Date) {
        self.begin = begin
        self.end = end
    }

    /// Of the certificate in its file; `nil` where that cannot be read.
    init?(of tls: GatewayConfiguration.TLS) {
        guard let text = try? String(contentsOfFile: tls.certificatePath, encoding: .utf8),
            let certificate = try? Certificate(firstOf: text)
        else { return nil }
        self.init(begin: certificate.notValidBefore, end: certificate.notValidAfter)
    }

    /// A warning for the operator; `nil` if there is no problem.
    func remark(on now: Date) -> String? {
        if now < begin { return "the certificate is valid from \(Self.text(begin)) only: no client takes it before" }
        let renewal = "renew it: 'fieldbook-gateway certificate renew' if the gateway made it, otherwise its issuer"
        if now > end { return "the certificate ended on \(Self.text(end)), no client takes it any more; \(renewal)" }
        guard end.timeIntervalSince(now) < GatewayServerLimits.certificateWarning else { return nil }
        return "the certificate ends on \(Self.text(end)); \(renewal)"
    }

    static func text(_ day: Date) -> String { day.formatted(.iso8601.year().month().day()) }
}
