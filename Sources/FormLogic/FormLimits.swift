/// The limits of a form, of its expressions and of its records.
package enum FormLimits {
    /// Questions, groups and repeats of a form.
    package static let nodes = 5_000
    /// Groups and repeats inside each other.
    package static let depth = 16
    package static let languages = 40
    /// Choices of all lists in a definition, and of one that is a file.
    package static let choices = 20_000
    package static let choicesInFile = 200_000
    /// A list with more choices is a blob beside the definition, so that this stays below a megabyte.
    package static let choicesInDefinition = 1_000
    /// Characters of an expression.
    package static let expression = 32_768
    /// Operators, calls, parentheses and predicates inside each other.
    package static let expressionDepth = 100
    /// Predicates inside each other.
    package static let predicates = 8
    /// Instances of one repeat.
    package static let instances = 1_000
    /// Nodes of a record, those without an answer included.
    package static let recordNodes = 50_000
    /// Bytes of an answer that is a text.
    package static let answer = 65_536
    /// Bytes of a record without its attachments.
    package static let record = 4 << 20
    /// Problems that are reported of one form.
    package static let problems = 100
    /// Nodes that one evaluation may look at, some tens of milliseconds.
    package static let steps = 500_000
    /// Bytes of a text that a function gives.
    package static let text = 1 << 20
    /// Reports of one evaluation.
    package static let reports = 8
    /// Bytes of a regular expression.
    package static let pattern = 4_096
    /// Times that the matcher of regular expressions reports its progress, each some ten thousand steps of it: about
    /// 20 milliseconds.
    package static let patternProgress = 100
    /// Digits behind the point, or before it, to which `round` rounds.
    package static let decimals = 30
    /// Letters of `uuid(n)`.
    package static let randomLetters = 1_000
    /// Letters of a label between the brackets of a link or of a tag.
    package static let labelPart = 2_048
    /// Letters of a name for which a similar one is searched; longer ones are no slips of a finger.
    package static let nearName = 64
    /// Evaluations of one recomputation.
    package static let evaluations = 200_000
    /// Triggers that fire each other.
    package static let triggerDepth = 16
}
