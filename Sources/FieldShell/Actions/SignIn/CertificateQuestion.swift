import FieldRecords
import FieldSync
import Foundation
import Replication

/// Whether a certificate is trusted that no known authority has signed.
struct CertificateQuestion {
    let session: ShellSession

    /// Whether the folder trusts the certificate, or the authority that signed it: then it is the same gateway, moved to
    /// another address. Whether the signature holds is seen with the next attempt, which trusts nothing else.
    static func isKnown(
        _ certificate: Certificate, error: ReplicationError, to known: FolderSettings.GatewayTrust
    ) -> Bool {
        guard case .pinned(let bytes) = known, let pinned = try? Certificate(data: Data(bytes)) else { return false }
        return [certificate, error.certificateToPin].contains { $0?.fingerprint == pinned.fingerprint }
    }

    /// As `ssh` does with a host that it does not know: shows its fingerprint, and asks.
    func askForTrust(
        in certificate: Certificate, error: ReplicationError, settings: FolderSettings
    ) throws -> Bool {
        var lines = [ErrorText.sentence(error.message), "Its SHA-256 is \(certificate.fingerprint)"]
        if case .pinned(let bytes) = settings.trust, let before = try? Certificate(data: Data(bytes)) {
            lines.append("What was trusted before is \(before.fingerprint)")
            lines.append("If nobody has renewed it, somebody may be in between: ask your administrator first.")
        } else {
            lines.append(
                "Compare it with what your administrator sees at the gateway with: "
                    + "fieldbook-gateway certificate show --config gateway.yaml")
        }
        if let authority = error.certificateToPin, authority.fingerprint != certificate.fingerprint {
            lines.append(
                "It was signed by the authority \(authority.fingerprint). Yes trusts every certificate "
                    + "that this authority signs.")
        }
        lines.forEach(session.dialogue.show)
        guard session.canAsk else { return false }
        return try session.questions.confirm("Trust it? y or n")
    }
}
