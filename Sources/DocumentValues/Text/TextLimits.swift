/// The limits of texts that are shown to people.
package enum TextLimits {
    /// Letters of a name for which a similar one is searched; longer ones are no slips of a finger.
    package static let nearName = 64
    /// Characters of an excerpt before the position that it shows, and from there on. With an indent both fit into a terminal
    /// of 80 columns.
    package static let excerptBefore = 40
    package static let excerptBehind = 34
}
