/// Limits of the library of forms.
package enum FormLibraryLimits {
    /// Drafts of a form that are looked through for one of a site, the last first.
    static let comparedDrafts = 50
    /// Bytes of a version that is spelled out in a document's id; a longer one is named by its digest.
    static let spelledVersion = 100
    /// Bytes of a version as an id spells it: a document's id has 240 at most, and a form's 64 of them.
    static let versionInID = 160
    /// Hexadecimal digits of such a digest.
    static let versionDigest = 16
    /// Bytes of a definition. Its longest lists are moved beside it until it is smaller.
    package static let definition = 1 << 20
    /// Values of a definition, which a gateway takes of the office: members and elements.
    package static let values = 39_000
    /// Bytes of a file beside a form: what a gateway takes as an attachment.
    package static let file = 20 * 1024 * 1024
    /// Files beside a form, long lists among them.
    package static let files = 500
    /// Forms that are named where a name is ambiguous or unknown.
    static let candidates = 5
    /// Letters of a refused answer that a message repeats, and choices that it names.
    static let quotedAnswer = 60
    static let namedChoices = 9
    /// How often answers are given to instances that a count makes only after others were answered.
    static let countedPasses = 4
    /// Events of a record's log; of more the earliest ones behind the first are left out, so that a record stays small enough
    /// to be sent however often it is changed.
    static let auditEvents = 3_000
}
