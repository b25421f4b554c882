/// The reason for which a gateway refuses a document whose client does not have one of its attachments. A laptop recognizes its
/// beginning, and explains it to the user; so it does not change.
package enum UnsentAttachment {
    package static let reasonBeginning = "The client does not have the attachment "

    package static func reason(digest: String) -> String { "\(reasonBeginning)\(digest) of this document itself" }
}
