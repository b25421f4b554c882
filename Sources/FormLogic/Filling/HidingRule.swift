import DocumentValues

extension FormState {
    /// Why a node is not relevant: the outermost node of the form, itself included, whose own rule is false. `nil` for a
    /// relevant one.
    package func hidingRule(of node: Record.ID) -> FormOutline.ID? {
        for id in record.ancestry(of: node) {
            let formNode = record[id].formNode
            if hidden.contains(id) { return formNode }
            if let parent = record[id].parent, hiddenRepeats.contains(RepeatKey(parent: parent, formNode: formNode)) {
                return formNode
            }
        }
        return nil
    }

    /// Whether a repeat is relevant in the group or instance that has it, with instances or without.
    package func isShown(_ formNode: FormOutline.ID, in parent: Record.ID) -> Bool {
        record[parent].isRelevant && !hiddenRepeats.contains(RepeatKey(parent: parent, formNode: formNode))
    }

    /// How many instances a repeat should have by its count; `nil` for one without.
    package func count(of formNode: FormOutline.ID, in parent: Record.ID) -> Int? {
        counts[RepeatKey(parent: parent, formNode: formNode)]
    }
}
