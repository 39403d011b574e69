// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Wiring} from "./Types.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";
import {IStakingVault} from "./interfaces/IStakingVault.sol";

/// @title StakingVault
/// @notice See IStakingVault. Balances are one to one, so there is no share price to inflate.
contract StakingVault is IStakingVault, Ownable2Step, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint256 public constant DRIP = 7 days;
    uint96 public constant MIN_STAKE = 10_000e18;
    uint40 public constant MIN_STAKE_TIME = 1 days;
    uint256 private constant SCALE = 1e18;

    /// @dev What passing time adds: amounts, and what each staked wei gets of them (scaled).
    struct Accrual {
        uint256 released;
        uint256 issued;
        uint256 rewardPerWei;
        uint256 creditPerWei;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable paymentGateway;
    uint256 public immutable creditCap;
    /// @dev Credit wei per second for the whole vault.
    uint256 public immutable creditRate;
    /// @dev Credit wei per second and staked TOK, scaled: a tiny stake cannot farm the whole stream.
    uint256 public immutable perTokRate;

    uint96 public totalStaked;
    uint96 public rewardReserve;
    uint40 public lastUpdate;
    bool public stakingActive;
    bool public creditsClosedByOwner;
    uint128 public accReward;
    uint128 public accCredit;
    uint128 public totalCreditsIssued;
    uint128 public rewardsAllocated;
    mapping(address account => Staker) private _stakers;

    modifier onlyPaymentGateway() {
        require(msg.sender == address(paymentGateway), NotAuthorized(msg.sender));
        _;
    }

    constructor(
        Wiring memory wiring,
        address owner_,
        uint256 creditCap_,
        uint256 creditRate_,
        uint256 perTokRate_
    ) Ownable(owner_) {
        tok = IERC20(wiring.tok);
        paymentGateway = IPaymentGateway(wiring.paymentGateway);
        creditCap = creditCap_;
        creditRate = creditRate_;
        perTokRate = perTokRate_;
        lastUpdate = uint40(block.timestamp);
    }

    /// @inheritdoc IStakingVault
    function activate() external onlyOwner {
        // Check:
        require(!stakingActive, AlreadyActive(address(this)));

        // Effect:
        stakingActive = true;
        emit StakingActivated(uint64(block.timestamp));
    }

    /// @inheritdoc IStakingVault
    function closeCreditIssuance() external onlyOwner {
        // Effect:
        _accrue();
        creditsClosedByOwner = true;
        emit CreditIssuanceClosed(totalCreditsIssued);
    }

    /// @inheritdoc IStakingVault
    function stake(uint128 amount) external nonReentrant {
        // Check:
        require(stakingActive, StakingNotActive(address(this)));
        require(amount != 0, ZeroAmount(msg.sender));
        Staker storage staker = _stakers[msg.sender];
        uint256 staked = uint256(staker.staked) + amount;
        require(staked >= MIN_STAKE, BelowMinStake(staked, MIN_STAKE));

        // Effect:
        _settle(msg.sender);
        staker.staked = staked.toUint96();
        staker.stakedAt = uint40(block.timestamp);
        totalStaked += uint256(amount).toUint96();
        emit Staked(msg.sender, amount, staked);

        // Interaction:
        paymentGateway.pull(msg.sender, amount);
    }

    /// @inheritdoc IStakingVault
    function unstake(uint128 amount) external nonReentrant {
        // Check:
        require(amount != 0, ZeroAmount(msg.sender));
        Staker storage staker = _stakers[msg.sender];
        require(amount <= staker.staked, InsufficientStake(staker.staked, amount));
        uint40 until = staker.stakedAt + MIN_STAKE_TIME;
        require(block.timestamp >= until, StakeLocked(until));
        uint96 left = staker.staked - uint96(amount);
        require(left == 0 || left >= MIN_STAKE, BelowMinStake(left, MIN_STAKE));

        // Effect:
        _settle(msg.sender);
        staker.staked = left;
        totalStaked -= uint96(amount);
        emit Unstaked(msg.sender, amount, left);

        // Interaction:
        tok.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IStakingVault
    function claimReward() external nonReentrant returns (uint256 amount) {
        // Effect:
        _settle(msg.sender);
        Staker storage staker = _stakers[msg.sender];
        amount = staker.rewards;
        staker.rewards = 0;
        rewardsAllocated -= uint128(amount);
        emit RewardClaimed(msg.sender, amount);

        // Interaction:
        tok.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IStakingVault
    function addReward(uint256 amount) external onlyPaymentGateway nonReentrant {
        // Effect:
        _accrue();
        rewardReserve += amount.toUint96();
        emit RewardAdded(amount, rewardReserve);
    }

    /// @inheritdoc IStakingVault
    function consumeCredits(address account, uint256 amount) external onlyPaymentGateway nonReentrant returns (bool) {
        Staker storage staker = _stakers[account];

        // Check: an account that never staked is refused after one read; credits accrue only when the stored ones fall short.
        if (staker.staked == 0 && staker.credits == 0) return false;
        if (staker.credits < amount) _settle(account);
        if (staker.credits < amount) return false;

        // Effect:
        staker.credits -= uint96(amount);
        emit CreditsConsumed(account, amount);
        return true;
    }

    /// @inheritdoc IStakingVault
    function overview()
        external
        view
        returns (bool active, uint256 staked, uint256 issued, uint256 remaining, bool closed, uint256 reserve)
    {
        Accrual memory accrual = _accrual();
        active = stakingActive;
        staked = totalStaked;
        issued = totalCreditsIssued + accrual.issued;
        remaining = creditsClosedByOwner ? 0 : creditCap - issued;
        closed = remaining == 0;
        reserve = rewardReserve - accrual.released;
    }

    /// @inheritdoc IStakingVault
    function stakerOf(address account) external view returns (Staker memory staker) {
        Accrual memory accrual = _accrual();
        staker = _stakers[account];
        _credit(staker, accReward + accrual.rewardPerWei, accCredit + accrual.creditPerWei);
    }

    /// @inheritdoc IStakingVault
    function creditsRemaining() public view returns (uint256) {
        return creditsClosedByOwner ? 0 : creditCap - totalCreditsIssued;
    }

    /// @inheritdoc IStakingVault
    function creditIssuanceClosed() external view returns (bool) {
        return creditsRemaining() == 0;
    }

    function _settle(address account) private {
        _accrue();
        Staker memory staker = _stakers[account];
        _credit(staker, accReward, accCredit);
        _stakers[account] = staker;
    }

    function _accrue() private {
        Accrual memory accrual = _accrual();
        lastUpdate = uint40(block.timestamp);
        if (accrual.released == 0 && accrual.issued == 0) return;
        rewardReserve -= uint96(accrual.released);
        rewardsAllocated += uint128(accrual.released);
        totalCreditsIssued += uint128(accrual.issued);
        accReward += uint128(accrual.rewardPerWei);
        accCredit += uint128(accrual.creditPerWei);
        emit Accrued(accrual.released, accrual.issued, accReward, accCredit);
    }

    /// @dev Nothing accrues while nobody stakes. What the accumulator cannot divide stays in the reserve. A started
    /// wei counts as released: stakers sum up fractions of many accruals, and all of them must be payable. Credits
    /// are backed by nothing, so their dust may lapse and the cap is reached exactly.
    function _accrual() private view returns (Accrual memory accrual) {
        uint256 staked = totalStaked;
        uint256 elapsed = block.timestamp - lastUpdate;
        if (staked == 0 || elapsed == 0) return accrual;

        uint256 released = (rewardReserve * (elapsed < DRIP ? elapsed : DRIP)) / DRIP;
        accrual.rewardPerWei = (released * SCALE) / staked;
        accrual.released = Math.ceilDiv(accrual.rewardPerWei * staked, SCALE);

        uint256 rate = (staked * perTokRate) / SCALE;
        uint256 issued = (rate < creditRate ? rate : creditRate) * elapsed;
        uint256 remaining = creditsRemaining();
        accrual.issued = issued < remaining ? issued : remaining;
        accrual.creditPerWei = (accrual.issued * SCALE) / staked;
    }

    function _credit(Staker memory staker, uint256 rewardTotal, uint256 creditTotal) private pure {
        staker.rewards += uint96((staker.staked * (rewardTotal - staker.rewardPaid)) / SCALE);
        staker.credits += uint96((staker.staked * (creditTotal - staker.creditPaid)) / SCALE);
        staker.rewardPaid = uint128(rewardTotal);
        staker.creditPaid = uint128(creditTotal);
    }
}
