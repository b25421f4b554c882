import BLIPTransport

extension Certificate {
    /// SHA-256 in hexadecimal, as `fieldbook-gateway init` prints it.
    package var fingerprint: String { CertificateFingerprint.text(data) }
}

extension ReplicationError {
    /// The certificate of a gateway that was not trusted. No data were sent to that gateway.
    package var refusedCertificate: Certificate? {
        (underlying as? TransportError)?.serverCertificate.map { Certificate(der: $0) }
    }

    /// The certificate to pin if a person trusts the refused one: the authority that has signed it, so that the
    /// server's can be renewed, or else itself.
    package var certificateToPin: Certificate? {
        (underlying as? TransportError)?.serverAuthority.map { Certificate(der: $0) } ?? refusedCertificate
    }
}
