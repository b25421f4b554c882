/// How much a conversation shows and remembers.
package enum ConversationLimits {
    /// Choices that are listed with their numbers; of more those that fit the typed text are.
    package static let listedChoices = 15
    /// Letters of a label inside another line.
    package static let title = 80
    /// Letters of the answer that names an instance.
    package static let instanceName = 40
    /// Letters of an answer in a list of all, and in brackets at its question.
    package static let answer = 120
    /// Answers that can be taken back.
    package static let steps = 50
    /// Refusals of one question before the rule is shown with its values.
    package static let refusals = 3
    /// Letters of the values that a rule reads, where it is explained.
    package static let ruleValues = 512
    /// Changes that one answer names.
    package static let changes = 5
    /// Bytes of an answer that is still typed line by line: up to here each line is saved with the draft before the next is
    /// asked. Longer ones keep this much, since every line saves all before it once more.
    package static let begun = 65_536
    /// Letters of a remark for the reviewer.
    package static let note = 2_000
    /// Instances and failures that one list shows.
    package static let rows = 100
}
