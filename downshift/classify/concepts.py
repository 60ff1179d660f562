"""What a request is about, whatever words it uses: phrases grouped by what they say about the work.

Each group becomes one feature of the linear model, which learns what it is worth;
a group may speak for a small task as well as for a hard one. Plain substrings of
the lower-case request, in the languages that the classifier must serve. `|`
separates phrases; a space inside one stands for a word boundary.
"""

from __future__ import annotations

_GROUPS = {
    "intermittent": (
        "every now and then|now and then|once in a while|sometimes|occasionally|intermittent|sporadic|flaky|flake|at random"
        "|randomly|random |rarely|from time to time|one in |out of every|once a week|once a day|a few times|some of the time"
        "|not always|usually|nondeterministic|non-deterministic|reproduce|under load|only in production|only in prod"
        "|only happens|comes and goes|goes away|heisenbug|after a while|after some hours|gelegentlich|manchmal|ab und zu"
        "|sporadisch|hin und wieder|parfois|de temps en temps|par moments|aléatoire|a veces|de vez en cuando|ocasional"
        "|às vezes|de vez em quando|intermitente|a volte|ogni tanto|ときどき|時々|たまに|不定期|再現|有时|偶尔|偶发|复现"
        "|간헐|가끔|재현"
    ),
    "cause": (
        "why |root cause|root-cause|cause|nobody knows|no one knows|no idea|unclear|figure out|find out|work out|mystery"
        "|mysterious|strange|odd |puzzl|what is behind|suspect|hypothes|diagnos|investigat|get to the bottom|explain the"
        "|warum|ursache|weshalb|pourquoi|la cause|por qué|causa|por que|perché|原因|なぜ|为什么|为何|원인|왜"
    ),
    "concurrency": (
        "race|deadlock|mutex|lock |locks|locking|concurren|thread|at the same time|simultaneous|interleav|atomic|twice|double"
        "|duplicate|exactly once|exactly-once|idempoten|parallel|two workers|ordering|out of order|synchroni|nebenläufig"
        "|gleichzeitig|doppelt|en même temps|simultan|en double|al mismo tiempo|duplicad|ao mesmo tempo|contemporaneamente"
        "|同時|二重|並行|并发|同时|重复|동시|중복|경합"
    ),
    "loss": (
        "lose |loses|losing|lost|loss|corrupt|missing|disappear|vanish|out of sync|drift|diverge|inconsisten|do not match"
        "|does not match|don't match|mismatch|do not add up|silently|wrong total|off by|verlust|verloren|verschwind"
        "|stimmt nicht|perdu|perte|disparaît|incohéren|pierde|perdid|no coincid|perde|perda|não bate|perso|non torna|消え"
        "|失われ|ずれ|丢失|不一致|对不上|유실|사라|불일치"
    ),
    "performance": (
        "slow|latency|p99|p95|throughput|memory grow|grows|leak|oom|heap|rss|cpu |spike|regress|bottleneck|hang|hangs|stall"
        "|freez|timeout|times out|profil|faster|speed|langsam|speicher|lent|mémoire|lento|lenta|memoria|memória|遅い|メモリ"
        "|慢|内存|느려|메모리"
    ),
    "security": (
        "attack|exploit|bypass|escalat|inject|privilege|tenant|sanitis|sanitiz|untrusted|signature|token|permission|role"
        "|authori|authz|authent|session|csrf|xss|ssrf|vulnerab|cve|secret|credential|encrypt|key rotation|rotate|hardening"
        "|threat|berechtigung|sicherheit|sécurité|autoris|seguridad|permiso|segurança|sicurezza|権限|認証|脆弱|权限|安全|认证"
        "|권한|보안|인증"
    ),
    "money": (
        "payment|refund|invoice|charge|charged|ledger|settle|payout|tax |vat|rounding|billing|price|balance|currency|zahlung"
        "|rechnung|paiement|facture|pago|factura|pagamento|fattura|支払|請求|支付|账单|退款|결제|환불"
    ),
    "migration": (
        "migrat|cut-over|cutover|roll out|rollout|roll back|rollback|downtime|backfill|dual write|dual-write|phased"
        "|without stopping|zero-downtime|deprecat|umstell|umzieh|migrier|migración|migração|移行|迁移|마이그"
    ),
    "design": (
        "design|architect|approach|option|trade-off|tradeoff|trade off|propos|recommend|decide|decision|alternativ"
        "|pros and cons|strateg|roadmap|rfc|adr|should we|whether we|how should|entwurf|entwirf|vorschlag|entscheid|concev"
        "|conception|arquitect|diseñ|decid|projet|progett|設計|提案|方案|设计|설계|제안"
    ),
    "plan": (
        "plan |planning|milestone|phases|step-by-step plan|work breakdown|sequence the|others will follow"
        "|other agents will"
    ),
    "gate": (
        "sign off|sign-off|go/no-go|go or no-go|merge gate|release gate|last check|final check|final review|last look"
        "|before we ship|before it ships|approve|ready to merge|ready to ship|block the release|last pair of eyes|freigabe"
        "|abnahme|valider|aprob|aprova|approv|最終|リリース前|最终|上线前|최종|출시"
    ),
    "conflict": (
        "disagree|contradict|conflict|both claim|reconcile|which is right|which one is right|two reports|two agents"
        "|whom to believe|who is right|opposite|widersp|contradi|contradic|食い違|矛盾|모순"
    ),
    "algorithm": (
        "algorithm|numeric|precision|converge|invariant|proof|prove|correctness|solver|incremental|crdt|consensus|raft"
        "|scheduler|allocator|garbage collect|parser|grammar|optimi|edge case|overflow|floating"
    ),
    "large": (
        "entire|whole codebase|whole repo|whole system|all modules|every module|every service|all services|across the"
        "|everywhere|large refactor|monolith|split the|untangle|decouple|hundreds|all packages|end to end|end-to-end"
        "|throughout"
    ),
    "mechanical": (
        "rename|replace|bump|move |delete the|remove the|format|sort |typo|set to| to read |insert|append|add the line"
        "|update the version|exactly|verbatim|one line|one-line|literal|copy |uncomment|comment out|swap|change the|capitali"
        "|spelling|umbenenn|ersetz|verschieb|lösch|renomm|remplac|déplac|supprim|renombr|reemplaz|cambia|mueve|borra|renomei"
        "|renomear|substitu|troque|mova|apague|rinomin|sostitu|sposta|cancella|置き換え|変更して|リネーム|削除して|改名|替换"
        "|重命名|改成|删除|바꿔|이름을|삭제|교체"
    ),
    "run": (
        "run |execute|exit code|paste the|tell me the|print|last lines|how many|number of|count|list |lists|output of"
        "|report the|report back the|führe|zähl|liste|exécut|lance |compte|ejecuta|cuenta|lista|conte|rode |esegui|conta"
        "|elenca|実行|数え|一覧|运行|执行|统计|列出|실행|세어|목록|개수"
    ),
    "lookup": (
        "where is|where does|which file|find the|what value|line number|path and line|file and line|look up|default value"
        "|name of|is defined|what is the|which version|locate|wo ist|wo wird|welche datei|où est|quel fichier|dónde"
        "|qué archivo|onde |qual arquivo|dove |quale file|どこ|どのファイル|在哪|哪个文件|어디|어느 파일"
    ),
    "one function": (
        "write a function|helper|unit test for|one test|a test for|should return|returns|pure function|docstring"
        "|implement the function|small function|eine funktion|une fonction|una función|uma função|una funzione|関数|函数|함수"
    ),
    "summary": "summar|zusammenfass|résum|resum|riassum|要約|まとめ|总结|摘要|요약",
    "pattern": (
        "like the existing|same way|following the|follow the|existing pattern|mirror|modelled on|modeled on|analog|as in "
        "|wie bei|comme |igual que|come |と同じ|同样|처럼"
    ),
    "tests": (
        "tests for|test suite|coverage|integration test|test cases|write tests|add tests|tests schreib|tests pour|pruebas"
        "|testes|テストを|测试|테스트"
    ),
    "how it works": (
        "how does|how do|how is|explain how|walk through|walk me|trace |overview|map out|understand|wie funktioniert|comment "
        "|cómo |como funciona|come funziona|どのように|仕組み|如何|怎么|어떻게"
    ),
    "review": (
        "review|diff|pull request|pr #|feedback|critique|prüf|relis|revisa|revise|rivedi|レビュー|审查|评审|리뷰|검토"
    ),
    "feature": (
        "implement|add support|feature|endpoint|new page|integrate|wire up|hook up|extend|build |ajout|añad|agrega|adicion"
        "|aggiung|実装|追加|实现|添加|新增|구현|추가"
    ),
    "trace": (
        "stack trace|traceback|exception|fails with|error:|typeerror|null pointer|nullpointer|panic|assertion|stacktrace"
        "|fehlermeldung"
    ),
    "vague": (
        "look into|take a look|have a look|improve|clean up|make it better|sort out|deal with|see what you can|whatever"
        "|somehow|better |nicer|polish|schau|regarde|mira |dê uma olhada|guarda |見て|看看|봐"
    ),
    "nothing else": (
        "do not change|don't change|no edits|read-only|read only|do not edit|without changing|nothing else|only this"
        "|and nothing|nur |rien d'autre|nada más|só isso|だけ|只|만 "
    ),
    "judge": (
        "judge|judgement|weigh|assess|evaluate|priorit|rank |worth|consider|be critical|challenge|bewert|évalu|evalú|avalie"
        "|valuta|評価|评估|평가"
    ),
}

CONCEPTS: dict[str, tuple[str, ...]] = {name: tuple(phrases.split("|")) for name, phrases in _GROUPS.items()}
