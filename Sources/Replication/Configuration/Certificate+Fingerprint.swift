import BLIPTransport

extension Certificate {
    /// SHA-256 in hexadecimal, as `fieldbook-gateway init` prints it.
    package var fingerprint: String { CertificateFingerprint.text(data) }
}

extension ReplicationError {
    /// The certificate of a gateway that was not trusted. Nothing was sent to it.
    package var refusedCertificate: Certificate? {
        (underlying as? TransportError)?.serverCertificate.map { Certificate(der: $0) }
    }

    /// What to pin where somebody trusts it: the authority that has signed it, so that it can be renewed, or itself.
    package var certificateToPin: Certificate? {
        (underlying as? TransportError)?.serverAuthority.map { Certificate(der: $0) } ?? refusedCertificate
    }
}
