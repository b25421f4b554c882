import Foundation
import Replication

/// Apple's name for a certificate.
public typealias SecCertificate = Certificate

/// Apple's name for bytes.
public typealias CFData = Data

/// A certificate of these bytes; `nil` where they are none. Besides DER, which is all that Apple's function reads, PEM is
/// taken.
///
/// - Parameter allocator: has no meaning here.
// The name is Apple's.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecCertificateCreateWithData(_ allocator: Any?, _ data: Data) -> SecCertificate? {
    try? Certificate(data: data)
}

/// The same of an `NSData`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecCertificateCreateWithData(_ allocator: Any?, _ data: NSData) -> SecCertificate? {
    try? Certificate(data: Data(referencing: data))
}
