import DocumentValues
import FormLogic

/// The nodes of a form as an author writes them: without those that the import of a sheet makes of others.
struct FoldedNode {
    var node: FormNode
    /// Whether the question for `other` that followed it is left out.
    var addsOther = false

    /// The siblings of one level; each is folded without its children.
    static func siblings(_ nodes: [FormNode], of form: Form) -> [FoldedNode] {
        var folded: [FoldedNode] = []
        for node in nodes {
            var next = FoldedNode(node: node)
            if let count = folded.last?.count(of: node) {
                folded.removeLast()
                next.node.repeatCount = count
            } else if let last = folded.last, last.isFollowedByOther(node, form: form) {
                folded[folded.count - 1].addsOther = true
                continue
            }
            folded.append(next)
        }
        return folded
    }

    /// The expression of this question where it only counts the instances of a repeat.
    private func count(of node: FormNode) -> String? {
        guard node.isRepeat, self.node.type == .plain(.calculate), let calculation = self.node.calculation,
            node.repeatCount == "${\(self.node.name.text)}", !CountQuestion.isReference(calculation)
        else { return nil }
        var unfolded = node
        unfolded.repeatCount = calculation
        return CountQuestion.split(from: &unfolded)?.isSame(as: self.node) == true ? calculation : nil
    }

    private func isFollowedByOther(_ node: FormNode, form: Form) -> Bool {
        guard !addsOther, self.node.choiceFilter == nil, case .select(_, from: .list(let name))? = self.node.type,
            form.list(name)?.choices.contains(where: { $0.name == OtherChoice.name }) == true
        else { return false }
        return OtherChoice.question(after: self.node, languages: form.languages).isSame(as: node)
    }
}

extension FormNode {
    /// Whether both are written alike, but for where they come from.
    fileprivate func isSame(as other: FormNode) -> Bool {
        var (left, right) = (self, other)
        (left.sourceRow, right.sourceRow) = (nil, nil)
        return Form.canonical(left.object) == Form.canonical(right.object)
    }
}
